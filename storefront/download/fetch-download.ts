import { slugOf } from '#schema/rules/slug'
import { asSignedIn } from '../account/as-signed-in.ts'
import { fetchFile } from '../data/download.ts'
import type { DownloadFragment } from './Download.gql.ts'

/** The file, called as its title is. `owner` is the address of the order or the product it is asked of. */
export async function fetchDownload(
  owner: string,
  { id, title }: DownloadFragment,
  orderToken?: string,
): Promise<File> {
  const address = `${owner}/downloads/${encodeURIComponent(id)}`
  const content = await asSignedIn(token => fetchFile(address, token, orderToken))
  return new File([content], `${slugOf(title) || 'pattern'}.pdf`, { type: 'application/pdf' })
}
