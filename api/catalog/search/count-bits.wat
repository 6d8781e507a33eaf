;; What bit-table.ts runs; `npm run codegen` does not make it: a test tells what its bytes are when this has changed.
(module
  (import "table" "memory" (memory 1))
  ;; How many bits two rows have in common, 16 bytes at a time. Every 4 kB it is looked at whether that is more than `most`.
  (func (export "inBoth") (param $one i32) (param $other i32) (param $bytes i32) (param $most i32) (result i32)
    (local $end i32) (local $stop i32) (local $count i32) (local $ones v128)
    (local.set $end (i32.add (local.get $one) (local.get $bytes)))
    (block $enough
      (loop $part
        (br_if $enough (i32.ge_u (local.get $one) (local.get $end)))
        (br_if $enough (i32.gt_u (local.get $count) (local.get $most)))
        (local.set $stop (i32.add (local.get $one) (i32.const 4096)))
        (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
        (local.set $ones (v128.const i32x4 0 0 0 0))
        (loop $more
          (local.set $ones
            (i32x4.add
              (local.get $ones)
              (i32x4.extadd_pairwise_i16x8_u
                (i16x8.extadd_pairwise_i8x16_u
                  (i8x16.popcnt (v128.and (v128.load (local.get $one)) (v128.load (local.get $other))))))))
          (local.set $one (i32.add (local.get $one) (i32.const 16)))
          (local.set $other (i32.add (local.get $other) (i32.const 16)))
          (br_if $more (i32.lt_u (local.get $one) (local.get $stop))))
        (local.set $count
          (i32.add
            (local.get $count)
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $ones)) (i32x4.extract_lane 1 (local.get $ones)))
              (i32.add (i32x4.extract_lane 2 (local.get $ones)) (i32x4.extract_lane 3 (local.get $ones))))))
        (br $part)))
    (local.get $count)))
