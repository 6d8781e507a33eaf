/** What the shop is called; also the brand of what names no maker (decision 050). */
export const SHOP_NAME = 'Skein'
