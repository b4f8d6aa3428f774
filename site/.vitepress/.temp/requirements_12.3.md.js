import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.3","description":"","frontmatter":{"title":"Requirement 12.3","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.3.md","filePath":"site/pages/requirements/12.3.md"}');
const _sfc_main = { name: "requirements/12.3.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-123" tabindex="-1">Requirement 12.3 <a class="header-anchor" href="#requirement-123" aria-label="Permalink to &quot;Requirement 12.3&quot;">​</a></h1><blockquote><p>A receiver MUST NOT accept an unsigned or forged delivery because of the way in which it is transferred, such as in chunks or by HTTP/1.0.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4</p><p><strong>Prevents:</strong> anyone forges a payment with another way of sending it.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/sent-in-chunks"><code>sent-in-chunks</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/sent-by-http-1-0"><code>sent-by-http-1-0</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/sent-after-continue"><code>sent-after-continue</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/sent-compressed"><code>sent-compressed</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.3.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_3 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_3 as default
};
