// Generated from schemas/*.json by scripts/tools/schemas.ts: do not edit.
export {}
