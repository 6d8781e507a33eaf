import type { GraphQLFormattedError } from 'graphql'

/** Apollo explains at length what a cross-site request forgery is; the client that sent a GET needs to know what is missing. */
export function sayPlainly(error: GraphQLFormattedError): GraphQLFormattedError {
  if (!error.message.startsWith('This operation has been blocked as a potential Cross-Site Request Forgery'))
    return error
  return {
    ...error,
    message:
      'Send the operation as a POST of JSON, with the header `Content-Type: application/json`; a GET needs the header `apollo-require-preflight: true`.',
  }
}
