// The filters, opening the case that the URL names, and buttons that copy. Without script the page has everything else.
const form = document.querySelector('form')
const noMatch = document.querySelector('.none')
const cases = [...document.querySelectorAll('details[data-outcome]')]
const sections = [...document.querySelectorAll('section[data-section]')]

/** What the search looks at: the line of a case, its requirement, and what was expected and received. */
const textOf = (testCase) => {
  const boxes = testCase.querySelectorAll('summary, .contract, .pairs')
  return [...boxes]
    .map(({ textContent }) => textContent)
    .join(' ')
    .toLowerCase()
}
let texts

function filter() {
  const fields = new FormData(form)
  const words = fields.get('text').toLowerCase().split(/\s+/)
  if (words.join('') !== '') texts ??= new Map(cases.map((testCase) => [testCase, textOf(testCase)]))
  const outcomes = fields.getAll('outcome')
  const section = fields.get('section')
  for (const testCase of cases) {
    const { dataset } = testCase
    testCase.hidden =
      !outcomes.includes(dataset.outcome) ||
      (section !== '' && dataset.section !== section) ||
      !words.every((word) => word === '' || texts.get(testCase).includes(word))
  }
  for (const element of sections) {
    element.hidden = element.querySelector('details[data-outcome]:not([hidden])') === null
  }
  const shown = cases.filter(({ hidden }) => !hidden).length
  noMatch.hidden = shown > 0
  const prefix = shown === 0 ? 'No case matches: ' : ''
  form.querySelector('output').textContent = `${prefix}${shown} of ${cases.length} cases shown`
}

function showAll() {
  for (const box of form.querySelectorAll('input')) box.checked = true
  for (const field of form.querySelectorAll('select, [type=search]')) field.value = ''
  filter()
}

function targetOfHash() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    return null
  }
}

function reveal() {
  const target = targetOfHash()
  if (target === null) return
  if (target.hidden) showAll()
  if (target instanceof HTMLDetailsElement) {
    target.open = true
    target.querySelector('summary').focus({ preventScroll: true })
  }
  target.scrollIntoView()
}

form.addEventListener('input', filter)
form.addEventListener('reset', (event) => {
  // The page opens without the passed cases, so the state that a reset restores does not show all.
  event.preventDefault()
  showAll()
})
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', reveal)
// A link to the current hash fires no hashchange event.
addEventListener('click', ({ target }) => {
  if (target.closest('a')?.hash === location.hash) reveal()
})
form.hidden = false
filter()
if (location.hash !== '') reveal()

async function copy(button, box) {
  button.textContent = await navigator.clipboard.writeText(box.textContent).then(
    () => 'Copied',
    () => 'Copy failed: select the text',
  )
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

for (const box of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy the ${(box.ariaLabel ?? 'Command').toLowerCase()}`)
  button.addEventListener('click', () => void copy(button, box))
  const frame = document.createElement('div')
  frame.className = 'frame'
  box.replaceWith(frame)
  frame.append(box, button)
}
