import { useQuery } from '@apollo/client/react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ownerLimits } from '#schema/rules/owner-limits'
import { typedAnnouncement } from '#schema/rules/shapes/announcement'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf } from '../../data/errors.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { clockZone, formatMoment, toLocal } from '../../ui/dates.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Loader } from '../../ui/Loader.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import {
  AdminAnnouncementDocument,
  type EditedAnnouncementFragment,
  UpdateAnnouncementDocument,
} from './Announcement.gql.ts'

/** What the owner has to say to every shopper. */
export function AnnouncementForm() {
  const { data, error, refetch } = useQuery(AdminAnnouncementDocument)
  if (data) return <Fields announcement={data.adminAnnouncement} />
  if (error) return <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>
  return <Loader />
}

const valuesOf = ({ text, link, startsAt, endsAt }: EditedAnnouncementFragment) => ({
  text,
  link: link ?? '',
  startsAt: toLocal(startsAt),
  endsAt: toLocal(endsAt),
})

function Fields({ announcement }: { announcement: EditedAnnouncementFragment }) {
  const form = useForm({ defaultValues: valuesOf(announcement), resolver: zodResolver(typedAnnouncement) })
  const { errors, isDirty, isSubmitting } = form.formState
  const [saved, setSaved] = useState(announcement)
  /** What others made of it meanwhile; saving again replaces it. */
  const [theirs, setTheirs] = useState<EditedAnnouncementFragment | null>(null)
  const [update] = useShopMutation(UpdateAnnouncementDocument)
  const invalidate = useInvalidate()

  async function submit({ startsAt, endsAt, ...said }: z.output<typeof typedAnnouncement>) {
    const times = { startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null }
    const payload = await update(
      { input: { ...said, ...times, version: (theirs ?? saved).version } },
      {
        onRefused: ({ userErrors, announcement: current }) => {
          if (current && userErrors.some(({ code }) => code === 'CONFLICT')) setTheirs(current)
          else showRefusals(form, userErrors)
        },
      },
    )
    if (!payload?.announcement) return
    setTheirs(null)
    setSaved(payload.announcement)
    form.reset(valuesOf(payload.announcement))
    invalidate('auditLog')
    notify.success('The announcement is saved.')
  }

  return (
    <Stack as="form" noValidate onSubmit={form.handleSubmit(submit)}>
      <LeaveGuard when={isDirty && !isSubmitting} />
      {theirs && (
        <Notice variant="warning">
          Somebody else changed it meanwhile: {theirs.text ? `“${theirs.text}”` : 'nothing is said now'}. Saving puts
          yours in its place.
        </Notice>
      )}
      <TextField
        {...form.register('text')}
        label="Text"
        hint="One line above all of the shop’s pages, such as a holiday. Leave it empty to say nothing."
        maxLength={ownerLimits.announcement.text}
        autoComplete="off"
        error={errors.text?.message}
      />
      <TextField
        {...form.register('link')}
        label="Where it leads"
        optional
        hint="A path such as /collections/gifts, or a web address."
        maxLength={ownerLimits.announcement.link}
        autoComplete="off"
        inputMode="url"
        error={errors.link?.message}
      />
      <TextField
        {...form.register('startsAt')}
        type="datetime-local"
        label="From"
        hint={`At once when left empty. Times are yours (${clockZone()}).`}
        error={errors.startsAt?.message}
      />
      <TextField
        {...form.register('endsAt')}
        type="datetime-local"
        label="Until"
        hint="Until you take it down when left empty."
        error={errors.endsAt?.message}
      />
      <Cluster $gap={4}>
        <Button type="submit" loading={isSubmitting}>
          Save
        </Button>
        <span>{whenShown(saved)}</span>
      </Cluster>
    </Stack>
  )
}

function whenShown({ text, startsAt, endsAt }: EditedAnnouncementFragment, now = Date.now()): string {
  if (!text) return 'Shoppers see none.'
  if (endsAt && Date.parse(endsAt) <= now) return `Shoppers saw it until ${formatMoment(endsAt)}.`
  const until = endsAt ? ` until ${formatMoment(endsAt)}` : ''
  if (startsAt && Date.parse(startsAt) > now) return `Shoppers will see it from ${formatMoment(startsAt)}${until}.`
  return `Shoppers see it${until}.`
}
