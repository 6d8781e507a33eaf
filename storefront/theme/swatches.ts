/** A dot of each family of colours: what a shopper looks for, whatever the theme. */
export const swatches = {
  RED: '#b3282d',
  ORANGE: '#d9701f',
  YELLOW: '#e3b23c',
  GREEN: '#56803f',
  TEAL: '#1f7f80',
  BLUE: '#2f5e9e',
  PURPLE: '#6f4a8e',
  PINK: '#d77a98',
  BROWN: '#74502f',
  GREY: '#85837f',
  BLACK: '#221f1d',
  WHITE: '#fdfcf9',
  UNDYED: '#e8dcc3',
  VARIEGATED: 'conic-gradient(#b3282d, #d9701f, #e3b23c, #56803f, #1f7f80, #2f5e9e, #6f4a8e, #d77a98, #b3282d)',
} as const
