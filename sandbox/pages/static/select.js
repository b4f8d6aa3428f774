// Selects all rows of a list at once, and shows how many are selected. Without this script each row has its own check box.

const boxes = () => [...document.querySelectorAll('[data-row] input[type=checkbox]')]

function updateSelection() {
  const button = document.querySelector('[data-selected]')
  const all = document.getElementById('select-all')
  if (!button || !all) return
  const [selected, total] = [boxes().filter(({ checked }) => checked).length, boxes().length]
  all.closest('label').hidden = total === 0
  all.checked = total > 0 && selected === total
  all.indeterminate = selected > 0 && selected < total
  button.disabled = selected === 0
  button.textContent = selected === 0 ? 'Resend selected' : `Resend ${selected} selected`
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'select-all') for (const box of boxes()) box.checked = target.checked
  if (target.type === 'checkbox') updateSelection()
})
document.addEventListener('refreshed', updateSelection)
// Firefox restores check boxes after Back.
window.addEventListener('pageshow', updateSelection)
updateSelection()
