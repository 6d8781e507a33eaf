import { defineEntity, p } from '@mikro-orm/postgresql'

const NewsletterLinkSchema = defineEntity({
  name: 'NewsletterLink',
  tableName: 'newsletter_links',
  properties: {
    /** SHA-256 of the token, hex. The token itself is in the mail alone. */
    tokenHash: p.text().primary(),
    emailKey: p.text(),
    email: p.text(),
    createdAt: p.datetime(),
  },
})

/** Confirms that the reader of an address wants the newsletter. Deleted once a link to the address was used. */
export class NewsletterLink extends NewsletterLinkSchema.class {}
NewsletterLinkSchema.setClass(NewsletterLink)
