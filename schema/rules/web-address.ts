/** Whether it is an address that a browser opens as a page. Other schemes, such as `javascript:`, do other things. */
export const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
