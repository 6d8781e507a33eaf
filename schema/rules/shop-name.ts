/** What a shop is called whose owner gave it no name (`SHOP_NAME`). */
export const SHOP_NAME = 'Skein'

/** What a shop says of itself at the foot of its pages whose owner says nothing else (`SHOP_TAGLINE`). */
export const SHOP_TAGLINE = 'A yarn shop for people who read the label.'
