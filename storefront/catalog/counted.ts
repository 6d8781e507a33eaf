/** "42 products", "More than 10,000 products". */
export function counted(total: number, isExact: boolean): string {
  if (total === 1 && isExact) return '1 product'
  return `${isExact ? '' : 'More than '}${total.toLocaleString('en-US')} products`
}
