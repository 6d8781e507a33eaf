const FULL = 'full'

/**
 * Runs inline in the head, before the first paint: the server shows everybody an empty cart, and a browser that keeps a full
 * one shows its outline instead until the cart is read (cart.ts).
 */
export const CART_SCRIPT = `try{if(/"cartItems":\\[\\{/.test(localStorage.getItem('cart')))document.documentElement.dataset.cart='${FULL}'}catch(e){}`

/** Matches when the cart was not empty as the page was opened. */
export const opensFull = `:root[data-cart='${FULL}'] &`
