/** Hands a file that was made or fetched in the page to the browser's downloads. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has to have started reading it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
