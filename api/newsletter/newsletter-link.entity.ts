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

/** A link that shows that whoever reads an address wants the newsletter. It is gone once one of the address was used. */
export class NewsletterLink extends NewsletterLinkSchema.class {}
NewsletterLinkSchema.setClass(NewsletterLink)
