import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"5. A group commit with our own fdatasync","description":"","frontmatter":{},"headers":[],"relativePath":"docs/decisions/0005-group-commit.md","filePath":"docs/decisions/0005-group-commit.md"}');
const _sfc_main = { name: "docs/decisions/0005-group-commit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="5-a-group-commit-with-our-own-fdatasync" tabindex="-1">5. A group commit with our own fdatasync <a class="header-anchor" href="#5-a-group-commit-with-our-own-fdatasync" aria-label="Permalink to &quot;5. A group commit with our own fdatasync&quot;">​</a></h1><p>Status: accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A 200 is a promise, so the event must be on disk before it. With <code>PRAGMA synchronous = FULL</code>, SQLite syncs its log at every commit, within the call: one delivery after the other, and the event loop waits for the disk each time. With <code>NORMAL</code> a power failure loses acknowledged events.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The SQLite inbox groups all deliveries of one turn of the event loop in one transaction, commits it without a sync, and then syncs the write-ahead log itself with <code>fs.fdatasync</code>, in the thread pool, before it answers any of them 200.</p><ul><li>The descriptor is opened before the first write, because the kernel reports a failed write once to each descriptor that is open then. A sync covers the file, whichever descriptor wrote it.</li><li>After a failed sync nothing is acknowledged. The log is written again and synced, or the receiver answers 503: a second sync that succeeds proves nothing about pages whose write has failed.</li><li>Checkpoints run in another thread and sync in the order that SQLite requires.</li></ul><table tabindex="0"><thead><tr><th>considered</th><th>not taken because</th></tr></thead><tbody><tr><td><code>synchronous = FULL</code></td><td>about a quarter of the rate, and the event loop blocks: <a href="/hookproof/docs/performance">the figures</a></td></tr><tr><td><code>synchronous = NORMAL</code></td><td>a power failure loses acknowledged events</td></tr><tr><td>a timer that gathers deliveries</td><td>it adds its time to every acknowledgment of a quiet receiver</td></tr><tr><td>a journal of our own beside the database</td><td>a second format to recover, and events in two places</td></tr></tbody></table><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The receiver relies on the write-ahead log of SQLite, so its tests pin the format that it reads. <code>npm run proof:fsync</code> watches the system calls, and <code>npm run proof:powercut</code> cuts the power at random, with a control without syncs that must lose something.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/0005-group-commit.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0005GroupCommit = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0005GroupCommit as default
};
