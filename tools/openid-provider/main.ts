// Runs the provider alone, for a shop that is viewed or tested in a browser. PORT is the port it listens on.
import { startOpenidProvider } from './provider.ts'

const { issuer } = await startOpenidProvider({ port: Number(process.env['PORT'] ?? 0) })
console.log(`Vouches for whoever comes, at ${issuer}`)
