import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { openReceiver } from '../testing/receiver.ts'
import { isPublic, publicAddresses } from './public-address.ts'
import { sendRequest } from '../webhook/send-request.ts'
import { openLine } from './open-line.ts'
import { nth } from '#schema/rules/present'

function sendTo(url: string, headers: Record<string, string>, body: string, reach: Parameters<typeof openLine>[1]) {
  const line = openLine(url, reach, 1)
  return sendRequest(line, headers, body).finally(line.close)
}

const nowhere = vi.fn<(host: string) => Promise<string[]>>(async () => [])
const strict = (addressesOf = nowhere) => ({ allowPrivate: false, addressesOf })

describe('an address of this machine or its network is refused', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://①②⑦.⓪.⓪.①/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    // Addresses where clouds give their own machines keys and account names. Azure's is an address of the public internet.
    'https://168.63.129.16/metadata',
    'https://0xa83f8110/',
    'https://[::ffff:168.63.129.16]/',
    'https://[64:ff9b::a83f:8110]/',
    'https://[2002:a83f:8110::1]/',
    'https://[2606:4700::5efe:a83f:8110]/',
    'https://[2606:4700::200:5efe:a83f:8110]/',
    'https://100.100.100.200/',
    'https://192.0.0.192/',
    'https://[fd20:ce::254]/',
    'https://192.88.99.1/',
    'https://[3fff::1]/',
    'https://[5f00::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[100::1]/',
  ])('%s', async address => {
    nowhere.mockClear()
    await expect(publicAddresses(new URL(address), strict())).rejects.toThrow('not on the public internet')
    expect(nowhere).not.toHaveBeenCalled()
    expect((await sendTo(address, {}, '{}', strict())).error).toContain('not on the public internet')
  })
})

describe('a name is refused', () => {
  test.each([
    ['127.0.0.1'],
    ['93.184.215.14', '127.0.0.1'],
    ['::7f00:1'],
    ['::ffff:10.0.0.1'],
    ['fe80::1%lo'],
    ['not an address'],
  ])('that leads to %s', async (...addresses: string[]) => {
    const { received, port } = await openReceiver()
    const made = await sendTo(`https://rebound.example.com:${port}/`, {}, '{}', strict(vi.fn(async () => addresses)))
    expect(made).toMatchObject({ status: null, error: 'rebound.example.com is not on the public internet.' })
    expect(received).toEqual([])
  })

  it('that leads nowhere', async () => {
    await expect(
      publicAddresses(
        new URL('https://gone.example.com/'),
        strict(
          vi.fn(async () => {
            throw new Error('ENOTFOUND')
          }),
        ),
      ),
    ).rejects.toThrow('The name gone.example.com leads nowhere.')
  })
})

it('a name is looked up once, and the connection goes to what was checked', async () => {
  const { received, port } = await openReceiver()
  // A second lookup would give another address; the machine's own resolver does not know the name.
  const addressesOf = vi.fn(async () => ['192.0.2.1']).mockResolvedValueOnce(['127.0.0.1'])
  expect(
    await sendTo(`http://looked-up-once.invalid:${port}/`, {}, '{}', { allowPrivate: true, addressesOf }),
  ).toMatchObject({ status: 204, error: null })
  expect(addressesOf).toHaveBeenCalledOnce()
  expect(nth(received, 0).headers.host).toBe(`looked-up-once.invalid:${port}`)
})

it('a certificate that nobody vouches for is refused', async () => {
  const file = (name: string) =>
    readFileSync(new URL(`../../tools/paypal-simulator/webhook-test-${name}.pem`, import.meta.url))
  const server = createServer({ cert: file('cert'), key: file('key') }, (_request, response) => response.end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const made = await sendTo(`https://warehouse.example.com:${(server.address() as AddressInfo).port}/`, {}, '{}', {
    allowPrivate: true,
    addressesOf: async () => ['127.0.0.1'],
  })
  expect(made).toMatchObject({ status: null, error: expect.stringMatching(/^The connection failed: .*CERT.*\.$/) })
})

test.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('%s is public', address => {
  expect(isPublic(address)).toBe(true)
})
