import { defineEntity, p } from '@mikro-orm/postgresql'

const AnnouncementSchema = defineEntity({
  name: 'Announcement',
  tableName: 'announcements',
  properties: {
    id: p.uuid().primary(),
    text: p.text(),
    link: p.text().nullable(),
    startsAt: p.datetime().nullable(),
    endsAt: p.datetime().nullable(),
    version: p.integer().default(1),
  },
})

/** The id of the only one, which a migration makes. */
export const ANNOUNCEMENT = '019ab000-0000-7000-8000-000000000037'

/** What the owner says above the shop's pages. Its text is empty while there is nothing to say. */
export class Announcement extends AnnouncementSchema.class {}
AnnouncementSchema.setClass(Announcement)
