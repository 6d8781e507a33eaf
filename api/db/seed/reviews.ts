// Sample reviews. The people are invented; so are their opinions, though we’ve heard most of them across a counter.

export const reviewers: { name: string; email: string }[] = [
  { name: 'Ingrid Halvorsen', email: 'ingrid.halvorsen@example.com' }, // 0
  { name: 'Marcus Adeyemi', email: 'marcus.adeyemi@example.com' }, // 1
  { name: 'Priya Raman', email: 'priya.raman@example.com' }, // 2
  { name: 'Tom Whitlock', email: 'tom.whitlock@example.com' }, // 3
  { name: 'Beatriz Correia', email: 'beatriz.correia@example.com' }, // 4
  { name: 'June Okafor', email: 'june.okafor@example.com' }, // 5
  { name: 'Sorcha Ní Bhriain', email: 'sorcha.nibhriain@example.com' }, // 6
  { name: 'Ellen Vandermeer', email: 'ellen.vandermeer@example.com' }, // 7
  { name: 'Kenji Morita', email: 'kenji.morita@example.com' }, // 8
  { name: 'Dolores Pratt', email: 'dolores.pratt@example.com' }, // 9
  { name: 'Aiyana Brooks', email: 'aiyana.brooks@example.com' }, // 10
  { name: 'Lukas Brandt', email: 'lukas.brandt@example.com' }, // 11
  { name: 'Hana Petrović', email: 'hana.petrovic@example.com' }, // 12
  { name: 'Wren Castellano', email: 'wren.castellano@example.com' }, // 13
]

type Rating = 1 | 2 | 3 | 4 | 5

/** Per product: reviewer, rating, days ago, comment. */
const written: Record<string, [reviewer: number, rating: Rating, daysAgo: number, comment: string][]> = {
  'ninepin-marmalade': [
    [
      1,
      5,
      612,
      'Third pair of socks from this base and not a thin patch on the first. The orange is even better on a train platform in February.',
    ],
    [
      2,
      5,
      540,
      'Got 32 stitches on 2.5s exactly as the band says. No knots, and 11 g left after a pair for size 39 feet.',
    ],
    [
      9,
      3,
      455,
      'Pooled badly on 64 stitches, great rusty lightning bolts up both legs. Fine on 72. Lovely yarn but do swatch.',
    ],
    [5, 5, 380, 'My grandson calls these his jam socks and refuses to take them off.'],
    [7, 4, 301, 'Colour is richer than the photo, more rust. Gave up a little orange in the first wash, none after.'],
    [13, 5, 214, 'Used it as a single-skein shawl and it glows.'],
    [10, 5, 131, 'Tight twist, doesn’t split even with my pointy needles. Buying two more before it goes.'],
    [3, 4, 66, 'My first socks. One is longer than the other but that isn’t the yarn’s fault.'],
    [12, 5, 12, 'Softened a lot after a wash. Heels still perfect.'],
  ],
  'papermoth-rose-dust': [
    [6, 5, 588, 'Like knitting with a cloud that has good manners.'],
    [
      2,
      4,
      497,
      'Held double with a fingering merino for a DK gauge of 21. Beautiful halo, sheds on black for the first three wears.',
    ],
    [12, 5, 420, 'Three balls made a size M pullover on 5 mm with some to spare. I get asked about it every time.'],
    [9, 2, 333, 'Tickles my neck something awful. I wanted to love it. Gave the sweater to my sister, who does.'],
    [13, 5, 248, 'The exact pink I’d been hunting, grey enough for an adult.'],
    [0, 4, 160, 'Unpicking is a nightmare; freezing it for an hour helps. Gorgeous all the same.'],
    [10, 5, 77, 'Paired it with the Quillwort in Smoke and I’m not taking questions.'],
    [7, 4, 19, 'One knot in four balls. Otherwise faultless, and the silk core really does shine through.'],
  ],
  'tarnbeck-tweed-peat-bog': [
    [11, 5, 655, 'Made a cabled cardigan for hill walking. Two winters in, it has outlived my boots.'],
    [6, 5, 520, 'Smells right, looks right, blocks like a dream.'],
    [9, 4, 404, 'Bits of straw in one skein and a slubby patch. I don’t mind; it’s tweed.'],
    [2, 5, 290, '17 stitches before blocking and 17 after. I wish all yarns were this honest.'],
    [7, 3, 205, 'Scratchier than I hoped at the collar. I’d use it for outerwear only.'],
    [3, 4, 98, 'The flecks hide my mistakes, which is worth the price on its own.'],
    [12, 5, 31, 'Much lighter than it looks. An adult sweater came in under 500 g.'],
  ],
  'longshore-ebb-tide': [
    [
      13,
      5,
      572,
      'The change from teal to green is so gradual I couldn’t find it while knitting. Used every last metre.',
    ],
    [12, 5, 466, 'Wore it to a wedding over a plain grey dress and outshone the bridesmaids, sorry.'],
    [2, 4, 371, 'Came up at 588 m by my counter rather than 600. Still enough for the edging.'],
    [4, 5, 280, 'Crocheted a virus shawl with it. Doesn’t split, even on the hook.'],
    [9, 4, 177, 'Dear, but it’s a whole shawl. The centre pull collapsed near the end so wind it.'],
    [0, 5, 90, 'No knots in 600 m. That never happens.'],
    [8, 5, 24, 'Even twist, even dye, silk gives it a slight sheen.'],
  ],
  'vat-nine-deep-indigo': [
    [8, 5, 640, 'Real indigo, with the depth chemical blue never has. Rinse until clear before casting on.'],
    [10, 4, 533, 'Blue fingers for a week. Worth it.'],
    [
      9,
      2,
      441,
      'Crocked all over my cream sofa after two washes. The colour is stunning but they ought to warn you louder.',
    ],
    [
      11,
      5,
      362,
      'A plain raglan in this looks like denim weather. Knit slightly big, mine drew in about 3% on blocking.',
    ],
    [7, 4, 270, 'Skeins vary, so alternate. I didn’t, and there’s a line across my back.'],
    [1, 5, 188, 'Hat and mitts from two hanks. Fades beautifully at the folds.'],
    [6, 5, 103, 'That blue!'],
    [2, 4, 41, 'Gauge spot on at 22. A vinegar rinse made no difference; hot water and patience did.'],
  ],
  'doorstep-persimmon': [
    [5, 5, 601, 'Knit a cardigan for my granddaughter and it goes in the machine every week. Still bright.'],
    [2, 3, 512, 'Grew from 18 to 16.5 stitches after washing. They do say so, but it’s a lot. Swatch properly.'],
    [3, 5, 437, 'Easy on the hands and easy to rip back. I ripped back a lot.'],
    [10, 5, 349, 'Squishy cables, no splitting, cheers me up.'],
    [9, 4, 263, 'Pilled under the arms within a month, as merino will. A comb sees to it.'],
    [
      13,
      5,
      170,
      'The tonal shifts are subtle enough for texture. Made a basketweave cowl from one hank with 12 g over.',
    ],
    [12, 4, 84, 'Two hanks from the same lot were noticeably different, so I alternated. Lovely result.'],
    [1, 5, 20, 'Watch cap, one evening and a half. Perfect.'],
  ],
  'fellwright-heather-moor': [
    [0, 5, 688, 'My standby. Enough grip for colourwork and enough spring for ribbing.'],
    [3, 5, 611, 'Started with the hat kit and came back for a sweater’s worth. It forgives everything.'],
    [11, 5, 529, 'Three years of dog walks, no pills worth mentioning.'],
    [2, 5, 450, '19 stitches on 4.5, before and after. Yardage measured at 203 m. Excellent.'],
    [7, 4, 386, 'A touch rustic next to the skin but it relaxes with a good soak.'],
    [5, 5, 299, 'Six hats for the church sale, all gone by noon.'],
    [9, 4, 222, 'Good plain wool at a fair price. One skein had a weak spot.'],
    [6, 5, 140, 'The purple has bracken in it. Home.'],
    [13, 5, 72, 'Blanket, nine skeins, blocked to perfectly square corners.'],
    [10, 5, 15, 'You can spit-splice it, so I haven’t woven in an end for weeks.'],
  ],
  'kit-first-hat': [
    [3, 5, 630, 'I’d never held needles. I now own a hat. The pattern talks to you like a person.'],
    [5, 5, 505, 'Bought for my niece at college. She finished in a week and asked for the sock one.'],
    [
      9,
      3,
      410,
      'Came out huge on my tension even on the needles supplied. The book does tell you to swatch, but no beginner will.',
    ],
    [1, 5, 318, 'Enough slate left over for a second brim.'],
    [10, 4, 207, 'Great kit. I’d have liked a video for the decreases.'],
    [4, 4, 119, 'I’m a crocheter by trade and this converted me, more or less.'],
    [12, 5, 37, 'Gave three as presents, three hats exist. That’s a good rate.'],
  ],
  'osier-rosewood-circular': [
    [2, 5, 577, 'The join is the smoothest I’ve used, and the size is true on my sizer.'],
    [7, 4, 460, 'Beautiful, warm, quiet. The cable needs a dip in hot water the first time.'],
    [9, 1, 352, 'Tip snapped off inside a month, sitting in my bag. Replaced without fuss, but still.'],
    [12, 5, 240, 'Points sharp enough for nupps. I have them in three sizes now.'],
    [8, 5, 133, 'Swivel works. No more corkscrew.'],
    [13, 4, 29, 'A shade darker than pictured. I like it better.'],
  ],
  'daywork-terracotta': [
    [4, 5, 590, 'Eleven dishcloths from one cone and I am not finished.'],
    [5, 4, 476, 'Bleeds red the first two washes so keep it away from your whites. Good and thirsty after.'],
    [9, 4, 341, 'Hard on the hands, as kitchen cotton is. Lasts for ever.'],
    [3, 5, 230, 'Potholders. They’re square! Nearly.'],
    [10, 5, 126, 'Softens nicely by the third wash and doesn’t split on a 5 mm hook.'],
    [6, 4, 44, 'A cone is a lot of flowerpot, but cheaper than six balls.'],
  ],
  'skerrow-storm': [
    [0, 5, 667, 'As good as anything I grew up with. Steeked without a machine and nothing ran.'],
    [6, 5, 481, 'The lilac comes out next to grey. A clever blend.'],
    [2, 5, 356, 'Used 14 colours of this in a yoke; every ball within a metre of 105.'],
    [9, 3, 259, 'Breaks if you tug. Wear it over a shirt or suffer.'],
    [11, 4, 144, 'Softer after a soak with hair conditioner.'],
    [12, 5, 53, 'Mittens bloom into one warm felted thing after a season. Exactly what I wanted.'],
  ],
  'great-loaf-undyed': [
    [9, 2, 310, 'Sheds on everything and pilled in a week. Pretty, but it’s a museum piece.'],
    [3, 4, 150, 'Two balls really do make a throw. The cat has claimed it.'],
    [13, 4, 48, 'Huge fun. Don’t pull too tight or it drifts apart.'],
  ],
  'ninepin-minis-hedgerow': [
    [0, 5, 501, 'Ochre and sloe together in a yoke over Fellwright. Perfect set.'],
    [7, 4, 211, 'The haw red ran a little into the cream on blocking. A cold rinse and a colour catcher saved it.'],
    [12, 5, 58, 'Five stripes, one pair of mittens, enough left for a second.'],
  ],
  'flaxwright-ochre': [
    [2, 4, 267, '22 stitches on 4 mm; the length dropped about 4% after the dryer, so add rows.'],
    [7, 3, 102, 'A bit hard on the wrists and it splits if you look away.'],
  ],
  'ribbon-lane-peony': [
    [5, 4, 195, 'Made a sundress for a two-year-old. Pink stayed pink.'],
    [9, 4, 60, 'Good cotton. Wish you could buy the green alone.'],
  ],
  'velveteen-garnet': [
    [12, 5, 622, 'The softest thing I own. Worth refreshing the page for.'],
    [7, 5, 417, 'Bled for three rinses, then stopped for good. The depth of colour is remarkable.'],
    [2, 4, 152, 'Gauge 25 on 3.5. Slight pilling at the cuffs after a season, as you’d expect with cashmere.'],
    [13, 5, 97, 'Two hanks, one cowl, no regrets.'],
  ],
  'tarnbeck-moss': [
    [11, 5, 560, 'Sheepy in the best way. Knits up uneven and blocks out even.'],
    [9, 3, 232, 'Itchy. I’ve washed it twice and it’s better but not there.'],
    [1, 4, 81, 'Vest for the bike. Keeps the drizzle off.'],
  ],
  'tarnbeck-madder': [
    [2, 4, 330, 'Blocked out to 21.5. One skein had a join, spliced easily.'],
    [11, 5, 114, 'Knit my father’s cardigan again in this after forty years. He approves.'],
  ],
  'flittermouse-sea-glass': [[7, 4, 181, 'Fine and even. Wound a little tight, and the last 20 m tangled.']],
  'stitch-markers-enamel': [
    [9, 4, 282, 'Lost two already; my own fault. Nice tin.'],
    [3, 5, 88, 'Used a different colour for every repeat and finally understood lace.'],
  ],
  'tidewrack-kelp': [
    [4, 4, 471, 'Like garden string on the hook, then suddenly drapey after the dryer. Strong market bag.'],
    [7, 2, 247, 'Murder on my hands and it smelled of pond until the third wash.'],
  ],
  'brambleshaw-blackberry': [
    [3, 4, 226, 'Soft. It came apart once when I pulled, but felting the ends fixed it.'],
    [5, 4, 109, 'Pills where the bag strap rubs. Colour gets compliments all day.'],
  ],
  'hook-olivewood': [
    [4, 5, 520, 'My hand doesn’t ache any more. The throat is just deep enough.'],
    [9, 4, 65, 'A touch of roughness at the head. A minute with fine paper and it was perfect.'],
  ],
  'plainsong-weld': [[8, 4, 219, 'Plant-dyed, so lots differ. Bought five at once and they matched.']],
  'low-wick-jacob-pair': [
    [11, 5, 347, 'Spotted sheep, spotted hat. There was straw.'],
    [7, 3, 138, 'Coarse and hairy. Looks wonderful, wears like a doormat on my forehead, so I lined it.'],
  ],
  'scissors-stork': [
    [5, 4, 321, 'Pretty and sharp. The sheath is a bit loose.'],
    [6, 5, 57, 'Went through airport security without a murmur.'],
  ],
  'altamesa-cocoa': [
    [2, 3, 305, 'Grew 6 cm in length after a week’s wear. Use it for scarves or knit tight.'],
    [5, 5, 168, 'A hat for my husband after chemo. No itch whatever.'],
    [12, 4, 33, 'Sheds a bit while you knit. Beautiful drape.'],
  ],
  'ninepin-wildflower-verge': [
    [1, 5, 459, 'Happy feet. No pooling at all, as promised.'],
    [13, 4, 336, 'The specks on my hank were heavier at one end, so I alternated from both ends of the ball.'],
    [10, 5, 201, 'Baby cardigan, washed fifty times by now, still cream.'],
    [2, 5, 16, '31 stitches at 2.5. Same as the Marmalade, so I can mix them.'],
  ],
  'rainwater-minis-dusk': [
    [12, 5, 387, 'Faded them in order for a cowl and can’t see the joins.'],
    [7, 4, 193, 'The jump from the fourth to the fifth is bigger than the rest. Blend a few rows.'],
  ],
  'harbourmaster-oilskin': [
    [0, 4, 288, 'Stiff on the needles, superb stitch definition.'],
    [3, 4, 107, 'VERY yellow. I was spotted from across a loch.'],
  ],
  'harbourmaster-gansey-navy': [
    [9, 3, 190, 'Hard wool to knit at night in this colour, and hard on a soft neck. Will last, though.'],
    [1, 4, 52, 'Tough as rope. Broke in after a month.'],
  ],
  'birch-straights': [
    [5, 4, 313, 'Taught six children on these. One pair got chewed.'],
    [8, 3, 135, 'Good wood, but one point was blunter than the other.'],
  ],
  'lullwater-kingfisher': [
    [10, 4, 426, 'Colour like a beetle. Slippery, so I used bamboo needles and a lifeline.'],
    [
      2,
      2,
      297,
      'Stretched nine centimetres on hanging, and the gauge never settled. Pretty, but I wouldn’t make a garment again.',
    ],
  ],
  'hollinshaw-bracken': [
    [11, 5, 390, 'The blue neps make it. Waistcoat done, second one planned.'],
    [6, 4, 165, 'Some neps fell out in the wash, as warned. Soft for tweed.'],
  ],
  'moonmoth-aubergine': [
    [12, 5, 236, 'Slippery. Use a lifeline, then another. The shawl is the best thing I’ve made.'],
    [9, 4, 82, 'Dark as sin to knit by lamplight. Fabric is heaven.'],
  ],
  'second-spin-coral': [
    [4, 4, 358, 'Two baskets from one ball. A few seams in the strip, easily hidden.'],
    [10, 3, 184, 'Brighter than the picture, and the second lot was more salmon. Good and sturdy.'],
  ],
  'hook-set-jewel': [
    [9, 4, 261, 'Smooth hooks; the case ties could be longer.'],
    [5, 5, 110, 'Gave these to a lady of 91. She’s made four blankets since.'],
  ],
  'fellwright-undyed': [
    [8, 5, 555, 'Takes dye evenly. Onion skins gave a strong copper on the first go.'],
    [0, 5, 383, 'Aran sweater, nine hanks, no bias and no drama.'],
    [7, 4, 244, 'Sheepy smell lingered for two washes. I’m told that’s a feature.'],
  ],
  'fogline-oyster': [[2, 4, 173, 'Stretches lengthwise, so hang your swatch for a night. Shine like nothing else.']],
  'smallfry-buttermilk': [
    [5, 5, 578, 'I’ve made eleven newborn cardigans in this and every mother asks what it is.'],
    [9, 4, 392, 'Splits a bit with sharp tips. Washes like a rag, in a good way.'],
    [3, 4, 118, 'Made a rabbit. It looks like a cow, but a soft one.'],
    [12, 5, 28, 'Two balls for a newborn cardigan, spot on, with four metres left.'],
  ],
  'tape-measure-oxblood': [[2, 5, 360, 'Checked against a steel rule: true to the millimetre.']],
  'turnabout-allotment': [
    [
      7,
      3,
      156,
      'There was a knot and the colour jumped from green straight to purple after it. Disappointing for the price.',
    ],
    [10, 4, 49, 'Hat and cowl from one cake.'],
  ],
  'papermoth-lichen': [
    [0, 5, 237, 'Held with Skerrow for a colourwork yoke with a halo. Unreasonably pretty.'],
    [9, 3, 111, 'Sheds. Everything I own is slightly lichen.'],
  ],
  'bamboo-dpns': [
    [1, 4, 487, 'Quiet on the train and they don’t slide out. Snapped one by sitting on it; hence the fifth.'],
    [2, 3, 275, 'Measured 2.4 rather than 2.5. Enough to matter on a sock.'],
  ],
  'maud-fenner-cornflower': [[10, 4, 183, 'Splits occasionally but the colour hasn’t moved in a year of washing.']],
  'puna-road-saffron': [
    [3, 5, 288, 'Hat on Thursday, birthday on Friday. Saved me.'],
    [12, 4, 121, 'Warm and weightless. It does tickle a forehead.'],
  ],
  'wool-wash-lavender': [
    [7, 5, 536, 'Doesn’t leave wool limp. Smells of cupboards in a good house.'],
    [9, 4, 176, 'Cap leaks if you lay it on its side. Good wash.'],
    [11, 4, 43, 'Brought a tired Romney sweater back to life.'],
  ],
  'ninepin-twins-copper-kettle': [
    [1, 5, 399, 'Identical socks with no thinking. The tag trick works.'],
    [9, 3, 104, 'One ball had a knot that put the stripes out by half. They sent another, so three stars and not two.'],
  ],
  'vat-nine-first-dip': [[10, 5, 265, 'Like knitting a blue-and-white plate.']],
  'halfacre-spruce': [
    [8, 5, 432, 'Airy three-ply, excellent elasticity. My default for plain sweaters.'],
    [3, 4, 79, 'Hard to see my stitches, lovely to wear.'],
  ],
  'skerrow-rosehip': [[7, 4, 123, 'Bled faintly into white on the first soak. Add vinegar.']],
  'quillwort-smoke': [[11, 5, 151, 'Yak is underrated. A thin sweater I can wear at minus ten.']],
  'great-tup-toffee': [
    [5, 4, 374, 'Four hats in a weekend. A little stiff until washed.'],
    [10, 4, 139, 'Good value. No pills after a winter of school runs.'],
  ],
  'project-bag-bottle': [[13, 4, 127, 'The wax smell takes a week to go. Stands open as promised.']],
  'lopsided-hoarfrost': [
    [0, 4, 401, 'Breaks if you sneeze, and blocks into the lightest sweater I own.'],
    [
      3,
      1,
      242,
      'Fell apart in my hands about once a row. Not for beginners, and I wish the label said so in capitals.',
    ],
  ],
  'osier-steel-circular': [
    [7, 2, 178, 'Too short for my hands. An hour and I had cramp; the quality is good, though.'],
    [8, 4, 70, 'Smooth join, true size.'],
  ],
  'second-spin-workshirt': [
    [9, 4, 161, 'Fades as described. It’s a bit thick and thin.'],
    [11, 4, 36, 'Good summer sweater, no stretch. Smells faintly of jeans.'],
  ],
  'buttons-horn': [[2, 4, 148, 'One was 17 mm. The rest a true 18.']],
  'doorstep-winter-sea': [
    [12, 5, 446, 'Alternated as advised: calm water. The foam lines are lovely in garter.'],
    [7, 3, 273, 'I got stripes, then a puddle, then stripes. Beautiful colours, poor behaviour.'],
    [10, 5, 34, 'Doesn’t bleed at all, unlike every other teal I’ve met.'],
  ],
  'workbox-interchangeable': [
    [8, 5, 510, 'Joins are flush and stay tight. The key clip is a small stroke of genius.'],
    [2, 5, 308, 'All nine sizes measured true. I’ve sold my other sets.'],
    [9, 4, 157, 'A lot of money. One cable was replaced free after a year.'],
  ],
  'cobwren-moorit': [[8, 5, 158, 'Sticky in the right way; a dropped stitch stays put.']],
  'kit-fox-mittens': [
    [10, 4, 320, 'Ran short of russet on my gauge with a metre to go. They posted more.'],
    [3, 2, 199, 'Far beyond me, though the box says easy thumb. The yarn is nice; the foxes look surprised.'],
  ],
  'tumbledown-grouse': [
    [11, 5, 388, 'Fills out after a bath and hides dog hair.'],
    [7, 4, 169, 'Slightly scratchy collar; the pockets hold their shape.'],
  ],
  'hook-soft-grip': [
    [9, 5, 229, 'Arthritis in both hands. I bought three.'],
    [5, 4, 68, 'The grip attracts fluff but it washes off.'],
  ],
  'row-counter-mint': [
    [9, 2, 186, 'Rolled from 39 to 50 on its own, twice. Ruined a sleeve.'],
    [12, 4, 71, 'Stays put in my bag. Too tight for a 5 mm, fine on 4.'],
  ],
  'great-loaf-lavender': [
    [10, 4, 404, 'The violet only shows at dusk, and then it’s gorgeous.'],
    [7, 3, 194, 'Pills, and no honest way to wash it. It’s a blanket to look at.'],
  ],
  'darning-needles-tin': [[6, 5, 101, 'The magnet in the lid has saved my bare feet.']],
  'kit-striped-socks': [
    [3, 4, 385, 'Turned a heel! Rang the shop at the gusset and someone really did answer.'],
    [2, 5, 61, 'Yardage is generous; 20 g left on a size 40.'],
  ],
}

/** What some of them tell of their knitting: reviewer, needle in mm, stitches in 10 cm, project. */
const knitted: Record<string, [reviewer: number, needleMm: number, gauge: number | null, project: string | null][]> = {
  'ninepin-marmalade': [
    [1, 2.5, 31, 'Socks, the third pair'],
    [2, 2.5, 32, 'Socks, size 39'],
    [9, 2.25, 33, 'Socks on 72 stitches'],
    [13, 3.5, 25, 'A single-skein shawl'],
    [10, 2.5, 30.5, 'Vanilla socks'],
    [12, 2.5, 31, null],
  ],
  'papermoth-rose-dust': [
    [2, 3.75, 21, 'Held double with a fingering merino'],
    [12, 5, 18, 'A pullover, size M'],
    [13, 5, 17.5, null],
    [0, 5, 18.5, 'A scarf for the train'],
  ],
  'tarnbeck-tweed-peat-bog': [
    [11, 5, 17, 'A cardigan with pockets'],
    [6, 5, 17.5, 'A gansey for a fisherman'],
    [9, 4.5, 19, 'Mittens'],
    [2, 5, 18, null],
  ],
  'longshore-ebb-tide': [
    [13, 3.25, 27, 'A summer tee'],
    [12, 3.25, 26.5, null],
    [2, 3.25, 27, 'A tank top'],
  ],
  'vat-nine-deep-indigo': [
    [8, 4, 21.5, 'A hat'],
    [10, 4, 22, 'Mittens'],
    [9, 4, 21, 'A cowl'],
    [11, 4.5, 20, 'A vest'],
  ],
  'doorstep-persimmon': [
    [5, 4.5, 20, 'A baby blanket'],
    [2, 5, 18, 'A cardigan'],
    [3, 5, 18.5, 'A first jumper'],
    [10, 5, 18, null],
  ],
  'fellwright-heather-moor': [
    [0, 4.5, 19, 'A jumper for the hills'],
    [3, 4.5, 19.5, 'A hat'],
    [11, 4.5, 18.5, 'A yoke cardigan'],
    [2, 4.5, 19, null],
    [7, 5, 17, 'A blanket'],
  ],
  'daywork-terracotta': [
    [4, 4.5, 18.5, 'Dishcloths'],
    [5, 4.5, 18, 'A summer top'],
    [9, 4.5, 19, null],
  ],
  'skerrow-storm': [
    [0, 3.25, 29, 'A Fair Isle yoke'],
    [6, 3.25, 28.5, 'A hap'],
    [2, 3.25, 29, 'Mittens'],
  ],
  'tarnbeck-moss': [
    [11, 4, 21.5, 'A waistcoat'],
    [9, 4, 22, null],
  ],
  'ninepin-wildflower-verge': [
    [1, 2.5, 31, 'Socks'],
    [13, 2.5, 30.5, 'Socks'],
  ],
  'fogline-oyster': [
    [2, 4.5, 19.5, 'A turtleneck'],
    [5, 4.5, 20, 'A hat'],
  ],
}

export const reviews: {
  /** Slug of the product. */
  product: string
  /** Index into reviewers. */
  reviewer: number
  rating: Rating
  comment: string
  daysAgo: number
  needleMm: number | null
  gauge: number | null
  project: string | null
}[] = Object.entries(written).flatMap(([product, list]) =>
  list.map(([reviewer, rating, daysAgo, comment]) => {
    const [, needleMm = null, gauge = null, project = null] =
      knitted[product]?.find(([knitter]) => knitter === reviewer) ?? []
    return { product, reviewer, rating, comment, daysAgo, needleMm, gauge, project }
  }),
)
