export const forgedPayment = {
  impact: 'Anyone on the internet can report a payment that was never made.',
  fix: 'Verify every delivery in one place before any other decision, and let nothing else in the request skip that.',
}
