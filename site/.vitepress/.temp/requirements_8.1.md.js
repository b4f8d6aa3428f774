import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.1","description":"","frontmatter":{"title":"Requirement 8.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.1.md","filePath":"site/pages/requirements/8.1.md"}');
const _sfc_main = { name: "requirements/8.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-81" tabindex="-1">Requirement 8.1 <a class="header-anchor" href="#requirement-81" aria-label="Permalink to &quot;Requirement 8.1&quot;">​</a></h1><blockquote><p>A receiver MUST accept every event that the service sends.</p></blockquote><p>MUST · Source: Interface 6</p><p><strong>Prevents:</strong> the merchant learns of no refund or failure.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/completed"><code>completed</code></a></td><td>The merchant never learns of this kind of event, and the service keeps sending it.</td></tr><tr><td><a href="/hookproof/cases/events/failed"><code>failed</code></a></td><td>The merchant never learns of this kind of event, and the service keeps sending it.</td></tr><tr><td><a href="/hookproof/cases/events/partial"><code>partial</code></a></td><td>The merchant never learns of this kind of event, and the service keeps sending it.</td></tr><tr><td><a href="/hookproof/cases/events/refunded"><code>refunded</code></a></td><td>The merchant never learns of this kind of event, and the service keeps sending it.</td></tr><tr><td><a href="/hookproof/cases/events/expired"><code>expired</code></a></td><td>The merchant never learns of this kind of event, and the service keeps sending it.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_1 as default
};
