import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { requiredText } from '#schema/rules/shapes/text'
import { useSignedIn } from '../../account/session.ts'
import { useUnsavedWork } from '../../account/interruption.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { type OnRefused, useShopMutation } from '../../data/use-shop-mutation.ts'
import { messageOf } from '../../data/errors.ts'
import { showRefusals } from '../../data/forms.ts'
import type { UserErrorFragment } from '../../data/UserError.gql.ts'
import type { ApiKeyInput, ApiScope } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { Combobox, type Option } from '../../ui/Combobox.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CreateApiKeyDocument, FindAccountsDocument } from './ApiKeys.gql.ts'
import { exampleQuery, scopeMeaning, scopes, scopeWords } from './scopes.ts'
import { ShownOnce } from './ShownOnce.tsx'

interface Made {
  name: string
  scopes: readonly ApiScope[]
  secret: string
}

/** Asks for a key's details, makes it, and shows it only once. */
export function NewKey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [create, { loading }] = useShopMutation(CreateApiKeyDocument)
  const invalidate = useInvalidate()
  const [made, setMade] = useState<Made | null>(null)

  async function save(input: ApiKeyInput, onRefused: OnRefused) {
    const payload = await create({ input }, { onRefused })
    if (!payload?.apiKey || !payload.secret) return
    invalidate('auditLog')
    setMade({ name: payload.apiKey.name, scopes: payload.apiKey.scopes, secret: payload.secret })
  }

  return (
    <>
      <FormDialog
        alert
        open={open && !made}
        onClose={onClose}
        title="Create an API key"
        action="Create key"
        loading={loading}
      >
        {id => <KeyForm id={id} save={save} />}
      </FormDialog>
      {made && (
        <SecretDialog
          made={made}
          onClose={() => {
            setMade(null)
            onClose()
          }}
        />
      )}
    </>
  )
}

interface Account extends Option {
  isAdmin: boolean
}

const shape = z.object({
  name: requiredText('Name', limits.name),
  scopes: z.array(z.enum(scopes)).min(1, 'Choose at least one scope.'),
  account: z.custom<Account>(account => account !== null, 'Choose the account it acts for.'),
  /** In how many days it ends; empty for never. */
  ends: z.string(),
  addresses: z.string(),
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const ENDS = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** This form's fields by the names that the API uses for them. */
const FIELDS: Record<string, string[]> = {
  accountId: ['account'],
  expiresAt: ['ends'],
  allowedAddresses: ['addresses'],
}

const besideItsField = ({ field, ...refusal }: UserErrorFragment): UserErrorFragment => ({
  ...refusal,
  field: FIELDS[field?.find(part => part in FIELDS) ?? ''] ?? field,
})

function inputOf({ name, scopes, account, ends, addresses }: z.output<typeof shape>) {
  const allowedAddresses = addresses.split(/[\s,]+/).filter(Boolean)
  return {
    name,
    scopes: scopes.includes('ADMIN') ? ['ADMIN' as const] : scopes,
    accountId: account.id,
    ...(ends && { expiresAt: inDays(Number(ends)) }),
    ...(allowedAddresses.length > 0 && { allowedAddresses }),
  }
}

interface KeyFormProps {
  id: string
  save: (input: ApiKeyInput, onRefused: OnRefused) => Promise<void>
}

function KeyForm({ id, save }: KeyFormProps) {
  const me = useSignedIn()
  const form = useForm<z.input<typeof shape>, unknown, z.output<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: {
      name: '',
      scopes: [],
      ends: '',
      addresses: '',
      account: { id: me._id, label: me.name, detail: me.email, isAdmin: me.isAdmin },
    },
  })
  const { errors, isDirty, isSubmitting } = form.formState
  useUnsavedWork(isDirty)
  const [account, chosen] = useWatch({ control: form.control, name: ['account', 'scopes'] })

  async function submit(checked: z.output<typeof shape>) {
    if (isSubmitting) return
    await save(inputOf(checked), ({ userErrors }) => showRefusals(form, userErrors.map(besideItsField)))
  }

  return (
    <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
      <TextField
        {...form.register('name')}
        label="Name"
        required
        hint="Who or what uses it, for example “Warehouse stock sync”."
        maxLength={limits.name}
        autoComplete="off"
        error={errors.name?.message}
      />
      <Controller
        control={form.control}
        name="account"
        render={({ field: { value, onChange } }) => (
          <AccountField value={value} onChange={onChange} error={errors.account?.message} />
        )}
      />
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { onChange } }) => (
          <ChoiceList
            legend="What it may do"
            choices={scopes.map(scope => ({
              value: scope,
              label: scopeWords[scope],
              code: scope,
              detail: scopeMeaning(scope, { isAdmin: account?.isAdmin === true }),
              implied: scope !== 'ADMIN' && chosen.includes('ADMIN'),
            }))}
            chosen={chosen}
            onChange={onChange}
            error={errors.scopes?.message}
          />
        )}
      />
      <Select {...form.register('ends')} label="Ends by itself" error={errors.ends?.message}>
        {ENDS.map(([days, words]) => (
          <option key={days} value={days}>
            {words}
          </option>
        ))}
      </Select>
      <TextArea
        {...form.register('addresses')}
        label="Addresses it may come from"
        optional
        hint="One a line, such as 203.0.113.7 or 203.0.113.0/24. From anywhere when left empty."
        maxLength={1_100}
        autoComplete="off"
        spellCheck={false}
        error={errors.addresses?.message}
      />
    </Stack>
  )
}

function AccountField({
  value,
  onChange,
  error,
}: {
  value: Account | null
  onChange: (account: Account | null) => void
  error?: string
}) {
  const [search, setSearch] = useState('')
  const { data, error: failure, loading } = useQuery(FindAccountsDocument, { variables: { search: search || null } })
  const found = data?.users.items.map(({ id, name, email, isAdmin }) => ({
    id,
    label: name,
    detail: isAdmin ? `${email}, administrator` : email,
    isAdmin,
  }))
  return (
    <Combobox
      label="Acts for"
      hint={value ? `${value.detail}. It never sees or does more than this account.` : 'Type a name or email address.'}
      error={error}
      maxLength={100}
      value={value}
      onChange={onChange}
      found={found ?? []}
      searching={loading}
      failure={failure ? messageOf(failure) : null}
      onSearch={setSearch}
    />
  )
}

/** The one time a key, or its new secret, is shown. */
export function SecretDialog({ made: { name, scopes, secret }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <ShownOnce
      title={`The key for ${name}`}
      label="API key"
      secret={secret}
      warning="Copy it now: it is never shown again. Keep it like a password, and give it to nobody but the partner."
      example={{ label: 'Try it', text: curl(secret, exampleQuery(scopes)) }}
      otherwise="Without it you would have to revoke this key and create another."
      onClose={onClose}
    />
  )
}

const curl = (secret: string, query: string) => `curl ${location.origin}${paths.explorer()} \\
  -H 'content-type: application/json' \\
  -H 'authorization: Bearer ${secret}' \\
  -d '${JSON.stringify({ query })}'`
