/** @type {import('next').NextConfig} */
export default {
  // A native module; 'node:sqlite' needs no entry.
  serverExternalPackages: ['@photostructure/sqlite'],
}
