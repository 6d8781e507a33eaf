import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { clock } from '../kernel/clock.ts'
import type { OrderIncidentCode } from '../generated/types.ts'
import { incidentMessage, type Incident } from './incident.ts'
import { Order } from './order.entity.ts'

const OrderIncidentSchema = defineEntity({
  name: 'OrderIncident',
  tableName: 'order_incidents',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id'),
    code: p.text().$type<OrderIncidentCode>(),
    /** What the sentence of `code` needs. */
    data: p.json<object>(),
    at: p.datetime().onCreate(() => clock.now()),
    resolvedAt: p.datetime().nullable(),
    resolvedById: p.uuid().nullable(),
    /** As the administrator was called at that time. */
    resolvedByName: p.text().nullable(),
  },
})

/** Something about an order that an administrator has to look at. Only record-incident.ts writes it. */
export class OrderIncident extends OrderIncidentSchema.class {
  declare [OptionalProps]?: 'message' | 'resolvedBy'

  get message(): string {
    return incidentMessage({ code: this.code, data: this.data } as Incident)
  }

  get resolvedBy(): string | null {
    return this.resolvedByName ?? null
  }
}
OrderIncidentSchema.setClass(OrderIncident)
