import { hashPassword } from '../../account/password.ts'
import { makeShoppers } from './goods.ts'
import { ask, call, patiently, type Answer } from './requests.ts'
import { atMost, exactly, none, type Scenario } from './scenario.ts'

const PASSWORD = 'the owner knits at midnight'
const SHOPS = 3
const FOR_ONE_ACCOUNT = 10
const FOR_ONE_ADDRESS = 100

const LOGIN = 'login(email: $email, password: $password) { token userErrors { code } }'

/** Guesses passwords in four ways, a crowd of guesses each. Counts guesses that were really checked; the owner still gets in. */
export const guesses: Scenario = {
  name: 'guesses',
  full: { rounds: 1, crowd: 1_000 },
  short: { rounds: 1, crowd: 150 },
  async run({ url, sql, others }, { rounds, crowd }) {
    // Every process has to know what another one counts.
    const urls = [url, ...(await others(SHOPS - 1)).map(shop => shop.url)]
    let turn = 0
    /** Guesses allowed at a slow pace: after a hundred, one in five seconds. */
    let slowly = 0
    const next = () => urls[turn++ % SHOPS]
    const passwordHash = await hashPassword(PASSWORD)
    const tried = { account: 0, address: 0, aliases: 0, forwarded: 0 }
    const [answers, ownersIn] = [[] as Answer[], { count: 0 }]
    for (let round = 0; round < rounds; round++) {
      const owners = await makeShoppers(sql, 4, { passwordHash })
      const [one, , aliased, spoofed] = owners.map(({ email }) => email) as [string, string, string, string]
      const from = (way: number) => `127.0.${round + 1}.${way + 1}`
      const guess = (index: number) => ({ email: one, password: `guess number ${index}` })
      const rest = (body: object, way: number, headers = {}) =>
        ask(`${next()}/api/users/login`, { body, headers, from: from(way) })
      const graphql = (variables: object, way: number, headers = {}) =>
        ask(`${next()}/graphql`, {
          body: { query: `mutation($email: String!, $password: String!) { ${LOGIN} }`, variables },
          headers,
          from: from(way),
        })
      const crowdOf = async (attack: (index: number) => Promise<Answer>, count = crowd) => {
        const all = await Promise.all(Array.from({ length: count }, (_, index) => attack(index)))
        answers.push(...all)
        return all.reduce((sum, { json }) => sum + (JSON.stringify(json).match(/WRONG_CREDENTIALS/g)?.length ?? 0), 0)
      }

      tried.account += await crowdOf(index => rest(guess(index), 0))
      const started = performance.now()
      tried.address += await crowdOf(index => rest({ ...guess(index), email: `someone${index}@example.com` }, 1))
      slowly += 1 + Math.ceil((performance.now() - started) / 5_000)
      const ten = Array.from({ length: 10 }, (_, index) => `g${index}: ${LOGIN}`).join(' ')
      tried.aliases += await crowdOf(index =>
        ask(`${next()}/graphql`, {
          body: {
            query: `mutation($email: String!, $password: String!) { ${index % 2 ? ten : LOGIN} }`,
            variables: { ...guess(index), email: aliased },
          },
          from: from(2),
        }),
      )
      const spoof = (index: number) => ({
        'x-forwarded-for': `203.0.113.${index % 250}`,
        forwarded: `for=203.0.113.${index % 250}`,
        'x-real-ip': `203.0.113.${index % 250}`,
      })
      tried.forwarded += await crowdOf(index =>
        (index % 2 ? rest : graphql)({ ...guess(index), email: spoofed }, 3, spoof(index)),
      )

      for (const { email } of owners) {
        const { code } = await patiently(() =>
          call(url, undefined, 'POST', '/api/users/login', { email, password: PASSWORD }),
        )
        if (code === 'ok') ownersIn.count++
      }
    }
    const refused = answers.filter(({ status }) => status === 429 || status === 503)
    return [
      atMost('tried of one address and one account', FOR_ONE_ACCOUNT * rounds, tried.account),
      atMost('tried of one address and many accounts', FOR_ONE_ADDRESS * rounds + slowly, tried.address),
      atMost('tried by many aliases of one request', FOR_ONE_ACCOUNT * rounds, tried.aliases),
      atMost('tried with forged X-Forwarded-For, by GraphQL and REST', FOR_ONE_ACCOUNT * rounds, tried.forwarded),
      exactly('owners who got in from elsewhere', 4 * rounds, ownersIn.count),
      exactly('refusals without Retry-After', 0, refused.filter(({ retryAfter }) => !retryAfter).length),
      none(
        'other answers',
        answers
          .filter(({ status }) => ![200, 400, 401, 429, 503].includes(status))
          .map(({ status, json }) => `${status} ${json.message}`),
      ),
    ]
  },
}
