/** What a shop is called whose owner gave it no name (`SHOP_NAME`). */
export const SHOP_NAME = 'Skein'
