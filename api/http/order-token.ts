/** The header that brings the token of a guest's order. What is answered to it is for nobody else. */
export const ORDER_TOKEN = 'x-order-token'
