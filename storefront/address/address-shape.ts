/** What a form with an address is checked by. */
export const addressShape = async () => (await import('#schema/rules/shapes/address')).labelledAddress
