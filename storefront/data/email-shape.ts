/** The shape that checks a form with nothing but an email address. */
export const emailShape = async () => (await import('#schema/rules/shapes/account')).emailAlone
