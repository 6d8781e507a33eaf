import { useEffect, useRef, useState } from 'react'
import { asSignedIn } from '../account/as-signed-in.ts'
import { messageOf } from './errors.ts'
import type { UploadOptions } from './upload.ts'

/** A file on its way, or one that was not taken. */
export interface Sending {
  id: number
  name: string
  /** 0 to 1; null while it waits for others. */
  progress: number | null
  problem: string | null
}

interface Uploading<Taken> {
  /** How many more files there may be; `full` is the message for people who choose more. */
  room: number
  full: string
  /** Sends one file. */
  store: (
    file: File,
    options: UploadOptions,
  ) => Promise<{ taken: Taken | null | undefined; userErrors: readonly { message: string }[] }>
  onStored: (taken: Taken) => void
}

/** Sends files one after the other, in the order they were chosen in. */
export function useUploads<Taken>({ room, full, store, onStored }: Uploading<Taken>) {
  const [sending, setSending] = useState<Sending[]>([])
  const queue = useRef<{ id: number; file: File }[]>([])
  const running = useRef<AbortController>(undefined)
  const numbered = useRef(0)
  const left = useRef(0)
  const stored = useRef(onStored)
  useEffect(() => {
    stored.current = onStored
  })
  useEffect(() => () => running.current?.abort(), [])

  const tell = (id: number, change: Partial<Sending>) =>
    setSending(before => before.map(each => (each.id === id ? { ...each, ...change } : each)))
  const dismiss = (id: number) => setSending(before => before.filter(each => each.id !== id))
  const add = (name: string, problem: string | null) => {
    const id = ++numbered.current
    setSending(before => [...before, { id, name, progress: null, problem }])
    return id
  }

  function send(file: File) {
    queue.current.push({ id: add(file.name, null), file })
    if (queue.current.length > 1) return
    left.current = room
    void work()
  }

  async function work() {
    running.current = new AbortController()
    const { signal } = running.current
    for (let next = queue.current[0]; next && !signal.aborted; next = queue.current[0]) {
      const { id, file } = next
      // Checked only now, when it is known how many of the files before it were taken.
      const problem = left.current > 0 ? await sendOne(id, file, signal) : full
      queue.current.shift()
      if (problem === null) dismiss(id)
      else tell(id, { problem })
    }
  }

  /** Returns why the file was not taken, or null when it was. */
  async function sendOne(id: number, file: File, signal: AbortSignal): Promise<string | null> {
    const onProgress = (progress: number) => tell(id, { progress })
    onProgress(0)
    try {
      const { taken, userErrors } = await asSignedIn(token => store(file, { token, onProgress, signal }))
      if (!taken) return userErrors[0]?.message ?? 'The file was not taken.'
      left.current--
      stored.current(taken)
      return null
    } catch (thrown) {
      return messageOf(thrown)
    }
  }

  return { sending, send, dismiss, refuse: (problem: string, name: string) => void add(name, problem) }
}
