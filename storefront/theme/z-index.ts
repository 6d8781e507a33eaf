/** Every z-index of the shop, lowest first. */
export const depth = { stickyHead: 10, header: 20, menu: 30, dialog: 40, tooltip: 50, toast: 60, skipLink: 70 } as const
