// The provider by itself, for a shop that is looked at or tested in a browser: PORT says where.
import { startOpenidProvider } from './provider.ts'

const { issuer } = await startOpenidProvider({ port: Number(process.env['PORT'] ?? 0) })
console.log(`Vouches for whoever comes, at ${issuer}`)
