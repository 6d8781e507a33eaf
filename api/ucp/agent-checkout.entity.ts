import { defineEntity, p } from '@mikro-orm/postgresql'

/** Who it is for, as far as an agent has said. */
export interface Buyer {
  email?: string
  first_name?: string
  last_name?: string
  phone_number?: string
}

const AgentCheckoutSchema = defineEntity({
  name: 'AgentCheckout',
  tableName: 'agent_checkouts',
  properties: {
    /** Of the cart that is ordered. */
    tokenHash: p.text().primary(),
    buyer: p.json<Buyer>(),
    orderId: p.uuid().nullable(),
    cancelledAt: p.datetime().nullable(),
  },
})

/** A cart that an agent is ordering for somebody. It goes with the cart. */
export class AgentCheckout extends AgentCheckoutSchema.class {}
AgentCheckoutSchema.setClass(AgentCheckout)
