/** Click identifiers of advertisers, search engines and senders of newsletters. They differ for every reader. */
const CLICKS = new Set(
  `_gl _hsenc _hsmi _kx dclid epik fbclid gad_campaignid gad_source gbraid gclid gclsrc igshid li_fat_id mc_cid mc_eid mkt_tok
  msclkid srsltid ttclid twclid vero_id wbraid yclid`.split(/\s+/),
)
const CAMPAIGN = 'utm_'

/** The address of the page that is shown: none shows anything else for where its reader comes from. */
export function withoutCampaign(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  if (!query) return url
  const others = query.split('&').filter(parameter => {
    const [name = ''] = parameter.split('=', 1)
    return !name.startsWith(CAMPAIGN) && !CLICKS.has(name)
  })
  return others.length > 0 ? `${path}?${others.join('&')}` : path
}
