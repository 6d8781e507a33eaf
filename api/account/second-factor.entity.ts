import { defineEntity, p } from '@mikro-orm/postgresql'

const SecondFactorSchema = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    userId: p.uuid().primary(),
    /** Base32; shared with the owner's authenticator app. */
    secret: p.text().hidden(),
    /** Number of the last half minute whose code was used. */
    lastStep: p.integer().nullable(),
    createdAt: p.datetime(),
  },
})

/** What codes of an account are made from. It counts once `User.secondFactorAt` is set. */
export class SecondFactor extends SecondFactorSchema.class {}
SecondFactorSchema.setClass(SecondFactor)

const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    /** SHA-256 of the code, hex. */
    codeHash: p.text().primary(),
    userId: p.uuid(),
  },
})

/** Signs in once in place of a code, and is gone. */
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode)
