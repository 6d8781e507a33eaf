/** What the shop is called; also the brand of products that name no maker (decision 050). */
export const SHOP_NAME = 'Skein'
