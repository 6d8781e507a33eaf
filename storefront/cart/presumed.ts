const FULL = 'full'

/**
 * Runs inline in the head, before the first paint: the server shows everybody an empty cart, and a browser that keeps a full
 * one shows its outline instead until the cart is read (cart.ts).
 */
export const CART_SCRIPT = `try{if(/"cartItems":\\[\\{/.test(localStorage.getItem('cart')))document.documentElement.dataset.cart='${FULL}'}catch(e){}`

/** Where something is in the cart that the page was opened with. */
export const opensFull = `:root[data-cart='${FULL}'] &`
