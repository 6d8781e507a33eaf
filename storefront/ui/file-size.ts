/** How large a file is, for people. */
export const fileSize = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3).toLocaleString('en-US')} kB` : `${(bytes / 1e6).toFixed(1)} MB`
