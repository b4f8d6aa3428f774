import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.1","description":"","frontmatter":{"title":"Requirement 12.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.1.md","filePath":"site/pages/requirements/12.1.md"}');
const _sfc_main = { name: "requirements/12.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-121" tabindex="-1">Requirement 12.1 <a class="header-anchor" href="#requirement-121" aria-label="Permalink to &quot;Requirement 12.1&quot;">​</a></h1><blockquote><p>A receiver MUST NOT accept an unsigned or forged delivery because of a field in its body, such as <code>test</code> or <code>livemode</code>.</p></blockquote><p>MUST · Source: Interface 5.3, rules 1 and 4: every webhook is signed; Interface 6, rule 2: simulated events too</p><p><strong>Prevents:</strong> anyone forges a payment by calling it a test.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/test-in-the-body"><code>test-in-the-body</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/not-live-in-the-body"><code>not-live-in-the-body</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/event-of-a-test"><code>event-of-a-test</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/claims-in-the-body"><code>claims-in-the-body</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_1 as default
};
