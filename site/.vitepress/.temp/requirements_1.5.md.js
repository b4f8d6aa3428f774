import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.5","description":"","frontmatter":{"title":"Requirement 1.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.5.md","filePath":"site/pages/requirements/1.5.md"}');
const _sfc_main = { name: "requirements/1.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-15" tabindex="-1">Requirement 1.5 <a class="header-anchor" href="#requirement-15" aria-label="Permalink to &quot;Requirement 1.5&quot;">​</a></h1><blockquote><p>A receiver MUST accept a valid delivery whose body arrives in chunks, wherever the chunk boundaries are.</p></blockquote><p>MUST · Source: Convention: HTTP/1.1 requires every recipient to read chunks. To protect itself, a receiver may refuse thousands of chunks of a few bytes each; the suite sends none</p><p><strong>Prevents:</strong> a payment is refused because the service or a proxy sends its body in chunks.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/chunked-in-two"><code>chunked-in-two</code></a></td><td>Deliveries fail when a proxy or HTTP client chunks the body differently.</td></tr><tr><td><a href="/hookproof/cases/transport/chunked-inside-a-character"><code>chunked-inside-a-character</code></a></td><td>A payment is refused whenever a chunk boundary falls inside an accented character.</td></tr><tr><td><a href="/hookproof/cases/transport/chunked-in-single-bytes"><code>chunked-in-single-bytes</code></a></td><td>Deliveries fail when a proxy or HTTP client chunks the body differently.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_5 as default
};
