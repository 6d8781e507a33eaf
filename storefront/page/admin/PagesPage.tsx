import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { requiredText } from '#schema/rules/shapes/text'
import { PAGE_FIGURES } from '#schema/rules/shop-pages'
import { linkTo } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { AnnouncementForm } from '../../announcement/admin/AnnouncementForm.tsx'
import { messageOf } from '../../data/errors.ts'
import { showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { formatDay } from '../../ui/dates.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { Loader } from '../../ui/Loader.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import { type AdminPageFragment, AdminPagesDocument, UpdatePageDocument } from './Pages.gql.ts'

const shape = z.object({
  title: requiredText('Title', limits.name),
  markdown: requiredText('Text', ownerLimits.pageText),
})
type Values = z.output<typeof shape>

const ANNOUNCEMENT = 'announcement'

/** The pages about the shop, and what is said above all of them, for their owner to write. */
export default function PagesPage() {
  const { data, error, refetch } = useQuery(AdminPagesDocument)
  const slug = useSearchParams()[0].get('page')
  const isAnnouncement = slug === ANNOUNCEMENT
  const page = data?.pages.find(each => each.slug === slug) ?? data?.pages[0]
  return (
    <AdminPage title="Pages">
      {error && !data && <ErrorState onRetry={() => void refetch()}>{messageOf(error)}</ErrorState>}
      {!data && !error && <Loader />}
      {data && page && (
        <>
          <FilterChips
            label="Page"
            current={isAnnouncement ? ANNOUNCEMENT : page.slug}
            chips={[
              ...data.pages.map(({ slug, title }) => ({ key: slug, label: title })),
              { key: ANNOUNCEMENT, label: 'Announcement' },
            ]}
            link={linkTo(paths.adminPages)}
          />
          {isAnnouncement ? <AnnouncementForm /> : <PageForm key={page.slug} page={page} />}
        </>
      )}
    </AdminPage>
  )
}

function PageForm({ page }: { page: AdminPageFragment }) {
  const { slug, title, markdown } = page
  const form = useForm({ defaultValues: { title, markdown }, resolver: zodResolver(shape) })
  const { errors, isSubmitting, isDirty } = form.formState
  const [update] = useShopMutation(UpdatePageDocument)
  const invalidate = useInvalidate()
  const [version, setVersion] = useState(page.version)
  /** What others wrote meanwhile; saving again replaces it. */
  const [theirs, setTheirs] = useState<string | null>(null)

  async function submit(values: Values) {
    const payload = await update(
      { slug, input: { ...values, version } },
      {
        onRefused: ({ userErrors, page: current }) => {
          if (!current || !userErrors.some(({ code }) => code === 'CONFLICT')) return showRefusals(form, userErrors)
          setTheirs(current.markdown)
          setVersion(current.version)
        },
      },
    )
    if (!payload?.page) return
    setTheirs(null)
    setVersion(payload.page.version)
    form.reset({ title: payload.page.title, markdown: payload.page.markdown })
    invalidate('auditLog')
    notify.success('The page is saved.')
  }

  return (
    <Stack as="form" noValidate onSubmit={form.handleSubmit(submit)}>
      <LeaveGuard when={isDirty && !isSubmitting} />
      {theirs !== null && (
        <>
          <Notice variant="warning">
            Somebody else saved this page meanwhile. Their text is below; saving puts yours in its place.
          </Notice>
          <TextArea label="Their text" readOnly rows={8} value={theirs} />
        </>
      )}
      <TextField {...form.register('title')} label="Title" maxLength={limits.name} error={errors.title?.message} />
      <TextArea
        {...form.register('markdown')}
        label="Text"
        hint={`Markdown. In braces, the shop’s own figures: ${Object.keys(PAGE_FIGURES)
          .map(name => `{${name}}`)
          .join(', ')}.`}
        rows={22}
        maxLength={ownerLimits.pageText}
        error={errors.markdown?.message}
      />
      <Cluster $gap={4}>
        <Button type="submit" loading={isSubmitting}>
          Save
        </Button>
        <Link to={`/${slug}`}>See the page</Link>
        <span>{page.updatedAt ? `Changed on ${formatDay(page.updatedAt)}` : 'The text the shop came with'}</span>
      </Cluster>
    </Stack>
  )
}
