import { defineEntity, p } from '@mikro-orm/postgresql'
import { User } from './user.entity.ts'

/** A session ends this long after its last use. */
export const SESSION_DAYS = 30

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    /** SHA-256 of the bearer token, hex. */
    tokenHash: p.text().primary(),
    user: () => p.manyToOne(User).ref(),
    createdAt: p.datetime(),
    usedAt: p.datetime(),
  },
})

export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session)
