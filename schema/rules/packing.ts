/** Of how many orders the packing slips are one file. */
export const MOST_SLIPS = 50
