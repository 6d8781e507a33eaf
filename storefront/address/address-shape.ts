/** The shape that checks a form with an address. */
export const addressShape = async () => (await import('#schema/rules/shapes/address')).labelledAddress
