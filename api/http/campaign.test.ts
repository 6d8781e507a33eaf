import { expect, test } from 'vitest'
import { withoutCampaign } from './campaign.ts'

test.each([
  ['/', '/'],
  ['/?utm_source=newsletter&utm_medium=email&utm_campaign=may', '/'],
  ['/?mc_cid=7b&mc_eid=a1', '/'],
  ['/search/merino?page=2&gclid=Cj0KC&sort=price', '/search/merino?page=2&sort=price'],
  ['/?fbclid=IwAR', '/'],
  ['/?msclkid=9&gbraid=1&wbraid=2&gad_source=1&srsltid=Af', '/'],
  // What only looks like one.
  ['/?page=2?utm_source=1', '/?page=2?utm_source=1'],
  ['/?autm_source=1', '/?autm_source=1'],
  ['/search/gclid?sort=utm_source', '/search/gclid?sort=utm_source'],
  ['/?', '/?'],
  ['/?&&=', '/?&&='],
])('the page at %s is that at %s', (address, page) => {
  expect(withoutCampaign(address)).toBe(page)
})
