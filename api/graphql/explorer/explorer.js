/* Runs in the browser: sends operations, and shows the contract as the API tells it. */
const examples = JSON.parse(document.getElementById('examples').textContent)
const at = id => document.getElementById(id)
const [form, picker, query, variables, token, result, status, search, docs] = ['form', 'picker', 'query', 'variables', 'token', 'result', 'status', 'search', 'entries'].map(at)

function element(tag, text, children = []) {
  const made = document.createElement(tag)
  if (text) made.textContent = text
  made.append(...children)
  return made
}

for (const [index, { title, needs }] of examples.entries()) {
  const option = element('option', needs ? `${title} (for ${needs})` : title)
  option.value = String(index)
  picker.append(option)
}

function choose(index) {
  query.value = examples[index].query
  variables.value = JSON.stringify(examples[index].variables, null, 2)
}
picker.addEventListener('change', () => choose(Number(picker.value)))
choose(0)

async function send(body) {
  const typed = token.value.trim().replace(/^(authorization:\s*)?bearer\s+/i, '')
  const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' }
  if (typed) headers.authorization = `Bearer ${typed}`
  const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, answer: await response.json() }
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  status.textContent = 'Running …'
  const started = performance.now()
  try {
    const { status: code, answer } = await send({ query: query.value, variables: variables.value.trim() ? JSON.parse(variables.value) : {} })
    result.textContent = JSON.stringify(answer, null, 2)
    status.textContent = `${code}, ${Math.round(performance.now() - started)} ms`
  } catch (error) {
    result.textContent = error instanceof SyntaxError ? `The variables are no JSON: ${error.message}` : String(error)
    status.textContent = 'Not sent'
  }
})

form.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
})

const TYPE = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'
const INTROSPECTION = `{ __schema { types { kind name description
  fields { name description type { ${TYPE} } args { name description type { ${TYPE} } } }
  inputFields { name description type { ${TYPE} } } enumValues { name description } } } }`

const written = type => (type.kind === 'NON_NULL' ? `${written(type.ofType)}!` : type.kind === 'LIST' ? `[${written(type.ofType)}]` : type.name)
const named = type => (type.ofType ? named(type.ofType) : type.name)

function link(type) {
  const button = element('button', written(type))
  button.type = 'button'
  button.className = 'link'
  button.addEventListener('click', () => {
    search.value = named(type)
    show()
  })
  return button
}

function entry({ name, description, args = [], type }) {
  const passed = args.flatMap((arg, index) => [index ? ', ' : '(', `${arg.name}: `, link(arg.type)])
  const signature = element('code', name, type ? [...passed, ...(args.length ? [')'] : []), ': ', link(type)] : [])
  return element('li', '', [signature, ...(description ? [element('p', description)] : [])])
}

let types = []

function show() {
  const word = search.value.trim().toLowerCase()
  const exact = types.find(({ name }) => name.toLowerCase() === word)
  const shown = exact ? [exact] : types.filter(({ name }) => (word ? name.toLowerCase().includes(word) : name === 'Query' || name === 'Mutation'))
  docs.replaceChildren(...shown.flatMap(({ name, description, fields, inputFields, enumValues }) => [
    element('h3', name),
    ...(description ? [element('p', description)] : []),
    element('ul', '', [...(fields ?? []), ...(inputFields ?? []), ...(enumValues ?? [])].map(entry)),
  ]))
}
search.addEventListener('input', show)

try {
  const { answer } = await send({ query: INTROSPECTION })
  types = answer.data.__schema.types.filter(({ name }) => !name.startsWith('__'))
  show()
} catch {
  docs.replaceChildren(element('p', 'This shop does not tell its schema.'))
}
