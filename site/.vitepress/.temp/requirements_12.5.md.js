import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.5","description":"","frontmatter":{"title":"Requirement 12.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.5.md","filePath":"site/pages/requirements/12.5.md"}');
const _sfc_main = { name: "requirements/12.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-125" tabindex="-1">Requirement 12.5 <a class="header-anchor" href="#requirement-125" aria-label="Permalink to &quot;Requirement 12.5&quot;">​</a></h1><blockquote><p>A receiver MUST NOT accept an unsigned or forged delivery because of a header, such as one that proxies or tests set.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4</p><p><strong>Prevents:</strong> anyone forges a payment with a header.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/proxy-headers"><code>proxy-headers</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/internal-headers"><code>internal-headers</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/secret-in-a-header"><code>secret-in-a-header</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/other-credentials"><code>other-credentials</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr><tr><td><a href="/hookproof/cases/bypass/headers-of-a-client"><code>headers-of-a-client</code></a></td><td>Anyone on the internet can report a payment that was never made.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_5 as default
};
