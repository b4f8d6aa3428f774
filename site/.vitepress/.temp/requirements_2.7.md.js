import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.7","description":"","frontmatter":{"title":"Requirement 2.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.7.md","filePath":"site/pages/requirements/2.7.md"}');
const _sfc_main = { name: "requirements/2.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-27" tabindex="-1">Requirement 2.7 <a class="header-anchor" href="#requirement-27" aria-label="Permalink to &quot;Requirement 2.7&quot;">​</a></h1><blockquote><p>A receiver MUST ignore entries with unknown labels.</p></blockquote><p>MUST · Source: Interface 9</p><p><strong>Prevents:</strong> every payment is refused once the service adds another signature to the header.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/unknown-label-first"><code>unknown-label-first</code></a></td><td>Every payment is refused from the day the service adds another entry to the header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/unknown-label-between"><code>unknown-label-between</code></a></td><td>Every payment is refused from the day the service adds another entry to the header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/unknown-label-last"><code>unknown-label-last</code></a></td><td>Every payment is refused from the day the service adds another entry to the header.</td></tr><tr><td><a href="/hookproof/cases/signature-header/unknown-label-with-equals-signs"><code>unknown-label-with-equals-signs</code></a></td><td>Every payment is refused from the day the service adds an entry whose value contains an equals sign.</td></tr><tr><td><a href="/hookproof/cases/signature-header/unknown-labels-that-end-alike"><code>unknown-labels-that-end-alike</code></a></td><td>Every delivery fails as soon as the service adds an entry whose label ends like one of these.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_7 as default
};
