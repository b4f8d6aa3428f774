// The filters, and opening the case that the URL names. Without script the page has everything except the filters.
const form = document.querySelector('form')
const noMatch = document.querySelector('.none')
const cases = [...document.querySelectorAll('details[data-outcome]')]
const sections = [...document.querySelectorAll('section[data-section]')]

function filter() {
  const fields = new FormData(form)
  const outcomes = fields.getAll('outcome')
  const section = fields.get('section')
  for (const testCase of cases) {
    const { dataset } = testCase
    testCase.hidden = !outcomes.includes(dataset.outcome) || (section !== '' && dataset.section !== section)
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
  form.querySelector('select').value = ''
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
