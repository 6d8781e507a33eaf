/** How long the lists of administrators are; what an operation costs is counted with them. */
export const AUDIT_PAGE = 25
export const DELIVERIES_PAGE = 25
export const ROWS_PAGE = 50
/** Counting and numbered pages stop here, so that their cost does not grow with the table. */
export const MOST_COUNTED = 10_000
/** What a search finds has to be read to be counted, and is counted to here. */
export const MOST_FOUND = 1_000
/** How many things can be changed by one call. */
export const BULK_LIMIT = 500
/** How many things can be asked for by their ids at once. */
export const MOST_NODES = 50
